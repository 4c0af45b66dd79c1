import { hash } from 'node:crypto';

// RFC 6962, section 2.1: the first byte is 0 for a leaf and 1 for a node, so the two never have the same hash.
// Hashes are in hexadecimal: Node takes half of the time for them that it takes for buffers.

const leafPrefix = Buffer.of(0x00);

/** The hash of one line of a segment, without its line feed. */
export function leafHash(line: string | Uint8Array): string {
  return hash('sha256', Buffer.concat([leafPrefix, typeof line === 'string' ? Buffer.from(line) : line]), 'hex');
}

export function nodeHash(left: string, right: string): string {
  return hash('sha256', Buffer.from(`01${left}${right}`, 'hex'), 'hex');
}

/** The Merkle tree hash of RFC 6962 over leaves that come one after another. Keeps one hash for each bit of their number. */
export class MerkleTree {
  /** Full subtrees, the largest first: their sizes are the bits of the number of leaves. */
  private readonly subtrees: { readonly leaves: number; readonly hash: string }[] = [];

  /** @param line without its line feed */
  add(line: string | Uint8Array): void {
    let added = { leaves: 1, hash: leafHash(line) };
    for (let last = this.subtrees.at(-1); last?.leaves === added.leaves; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { leaves: added.leaves * 2, hash: nodeHash(last.hash, added.hash) };
    }
    this.subtrees.push(added);
  }

  /** The root of no leaves is the hash of nothing. */
  root(): string {
    const [smallest, ...larger] = this.subtrees.toReversed();
    if (smallest === undefined) return hash('sha256', '', 'hex');
    return larger.reduce((right, { hash: left }) => nodeHash(left, right), smallest.hash);
  }
}

/**
 * The inclusion proof of RFC 6962, section 2.1.1: the hashes that lead from one leaf to the root, the lowest first.
 * @param leaves the leaf hashes of the whole segment
 */
export function inclusionProof(leaves: readonly string[], index: number): readonly string[] {
  if (!(index >= 0 && index < leaves.length)) throw new RangeError('the tree has no such leaf');
  const proof: string[] = [];
  let [first, end] = [0, leaves.length];
  // From the root down; the proof is in the opposite order.
  while (end - first > 1) {
    const split = first + largestPowerBelow(end - first);
    const isLeft = index < split;
    proof.unshift(rootOf(leaves.slice(isLeft ? split : first, isLeft ? end : split)));
    if (isLeft) end = split;
    else first = split;
  }
  return proof;
}

function rootOf(leaves: readonly string[]): string {
  const [only] = leaves;
  if (only === undefined) throw new RangeError('a subtree has leaves');
  if (leaves.length === 1) return only;
  const split = largestPowerBelow(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

/** The largest power of two that is smaller than this number, which is 2 or more. */
function largestPowerBelow(count: number): number {
  return 2 ** (Math.ceil(Math.log2(count)) - 1);
}
