import { createReadStream } from 'node:fs';

const lineFeed = 0x0a;

/** The lines of a segment without their line feeds; `whole` is false for half a line at its end. */
export async function* segmentLines(path: string): AsyncGenerator<{ readonly line: Buffer; readonly whole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let end = data.indexOf(lineFeed); end >= 0; end = data.indexOf(lineFeed, begin)) {
      yield { line: data.subarray(begin, end), whole: true };
      begin = end + 1;
    }
    rest = data.subarray(begin);
  }
  if (rest.length > 0) yield { line: rest, whole: false };
}
