/** As `Promise.all(items.map(make))`, but no more than two at a time. After a failure it starts no other item. */
export async function mapInPairs<In, Out>(
  items: readonly In[],
  make: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const made = new Array<Out>(items.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      try {
        made[index] = await make(items[index] as In, index);
      } catch (error) {
        next = items.length;
        throw error;
      }
    }
  };
  await Promise.all([work(), work()]);
  return made;
}
