import { hash } from 'node:crypto';

/** RFC 6962, section 2.1: a leaf and a node never have the same hash. */
const [leafPrefix, nodePrefix] = [Buffer.of(0x00), Buffer.of(0x01)];

/** The hash of one line of a segment, without its line feed. */
export function leafHash(line: string | Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([leafPrefix, typeof line === 'string' ? Buffer.from(line) : line]), 'buffer');
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([nodePrefix, left, right]), 'buffer');
}

/** The Merkle tree hash of RFC 6962 over leaves that come one after another. Keeps one hash for each bit of their number. */
export class MerkleTree {
  /** Full subtrees, the largest first: their sizes are the bits of the number of leaves. */
  private readonly subtrees: { readonly leaves: number; readonly hash: Buffer }[] = [];

  /** @param line without its line feed */
  add(line: string | Uint8Array): void {
    let added = { leaves: 1, hash: leafHash(line) };
    for (let last = this.subtrees.at(-1); last?.leaves === added.leaves; last = this.subtrees.at(-1)) {
      this.subtrees.pop();
      added = { leaves: added.leaves * 2, hash: nodeHash(last.hash, added.hash) };
    }
    this.subtrees.push(added);
  }

  /** In hexadecimal. The root of no leaves is the hash of nothing. */
  root(): string {
    const [smallest, ...larger] = this.subtrees.toReversed();
    if (smallest === undefined) return hash('sha256', '', 'hex');
    return larger.reduce((right, { hash: left }) => nodeHash(left, right), smallest.hash).toString('hex');
  }
}

/**
 * The inclusion proof of RFC 6962, section 2.1.1: the hashes that lead from one leaf to the root, the lowest first, in
 * hexadecimal.
 * @param leaves the leaf hashes of the whole segment
 */
export function inclusionProof(leaves: readonly Buffer[], index: number): readonly string[] {
  if (!(index >= 0 && index < leaves.length)) throw new RangeError('the tree has no such leaf');
  const proof: string[] = [];
  let [first, end] = [0, leaves.length];
  // From the root down; the proof is in the opposite order.
  while (end - first > 1) {
    const split = first + largestPowerBelow(end - first);
    const isLeft = index < split;
    proof.unshift(rootOf(leaves.slice(isLeft ? split : first, isLeft ? end : split)).toString('hex'));
    if (isLeft) end = split;
    else first = split;
  }
  return proof;
}

function rootOf(leaves: readonly Buffer[]): Buffer {
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
