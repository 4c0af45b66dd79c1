/** @returns the function that goes back to the zone before */
export function enterZone(zone: string): () => void {
  const { TZ: before } = process.env;
  process.env.TZ = zone;
  return () => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  };
}
