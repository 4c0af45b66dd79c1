/**
 * The ids of one answer of the core, to find one that comes again. While they rise or fall from record to record, as those
 * of most histories do, each is compared only with the previous one: a set of 100 ids costs a page of transactions a
 * fiftieth of its time.
 */
export class SeenIds {
  private readonly inOrder: string[] = [];
  private rising: boolean | undefined;
  private all: Set<string> | undefined;

  /** Whether the id was seen before. Remembers it. */
  repeats(id: string): boolean {
    if (this.all === undefined) {
      if (this.goesOn(id)) {
        this.inOrder.push(id);
        return false;
      }
      this.all = new Set(this.inOrder);
    }
    return this.all.size === this.all.add(id).size;
  }

  private goesOn(id: string): boolean {
    const last = this.inOrder.at(-1);
    if (last === undefined) return true;
    if (id === last) return false;
    this.rising ??= id > last;
    return id > last === this.rising;
  }
}
