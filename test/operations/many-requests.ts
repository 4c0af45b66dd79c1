import { Pool } from 'undici';

/** Sends `count` requests without a token, over some connections; each gets its answer and leaves an access record. */
export async function askMany(port: number, count: number): Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 32, pipelining: 1 });
  const ask = async (): Promise<number> => {
    const { statusCode, body } = await pool.request({ path: '/nothing', method: 'GET' });
    await body.dump();
    return statusCode;
  };
  try {
    const statuses = new Set(await Promise.all(Array.from({ length: count }, ask)));
    if (statuses.size !== 1 || !statuses.has(401)) throw new Error(`answered ${[...statuses].join(', ')}`);
  } finally {
    await pool.destroy();
  }
}
