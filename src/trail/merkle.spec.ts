import { describe, expect, it } from '@jest/globals';
import { inclusionProof, leafHash, MerkleTree, nodeHash } from './merkle.js';

/** The leaves and roots of the reference implementation of RFC 6962 (Certificate Transparency, `merkletree`). */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (lines: readonly (string | Buffer)[]): MerkleTree => {
  const tree = new MerkleTree();
  for (const line of lines) tree.add(line);
  return tree;
};

describe('the Merkle tree', () => {
  it.each(roots.map((root, size) => [size, root] as const))('of %i leaves has the root of RFC 6962', (size, root) => {
    expect(treeOf(leaves.slice(0, size)).root()).toBe(root);
  });

  it('proves each leaf of each size, in its place only', () => {
    for (let size = 1; size <= 20; size++) {
      const lines = Array.from({ length: size }, (_, index) => `line ${index}`);
      const root = treeOf(lines).root();
      const hashes = lines.map((line) => leafHash(line));
      for (const [index, hash] of hashes.entries()) {
        const proof = inclusionProof(hashes, index);
        expect(isIncluded(hash, index, size, proof, root)).toBe(true);
        expect(isIncluded(hash, index + 1, size, proof, root)).toBe(false);
        expect(isIncluded(leafHash('another'), index, size, proof, root)).toBe(false);
        expect(isIncluded(hash, index, size, [...proof, root], root)).toBe(false);
        if (proof.length > 0) expect(isIncluded(hash, index, size, proof.slice(1), root)).toBe(false);
      }
    }
  });

  it('refuses a place outside the tree', () => {
    const hash = leafHash('line');
    expect(() => inclusionProof([hash], 1)).toThrow(RangeError);
    for (const index of [-1, 0.5, 1, Number.NaN]) expect(isIncluded(hash, index, 1, [], hash)).toBe(false);
  });
});

/** RFC 9162, section 2.1.3.2. Whether the proof leads from this leaf, at this place of a tree of this size, to the root. */
function isIncluded(leaf: string, index: number, size: number, proof: readonly string[], root: string): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let [position, last] = [index, size - 1];
  let found = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      found = nodeHash(sibling, found);
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else found = nodeHash(found, sibling);
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && found === root;
}
