/** One value of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The values of a gateway's `/metrics`, as prom-client writes them. */
export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? ([-+\d.eE]+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
    return [
      {
        name,
        labels: Object.fromEntries(pairs.map(([, label = '', quoted = '']) => [label, JSON.parse(`"${quoted}"`)])),
        value: Number(value),
      },
    ];
  });
}
