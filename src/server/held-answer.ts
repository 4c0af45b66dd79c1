import type { ServerResponse } from 'node:http';

/**
 * From now on the answer leaves only once `before` has resolved. Where it rejects, the connection is closed in the place of
 * an answer. Holds every answer, also one that a library gives past Fastify.
 */
export function holdAnswer(response: ServerResponse, before: () => Promise<void>): void {
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  let isHeld = false;
  response.end = (...given: unknown[]): ServerResponse => {
    if (isHeld) return end(...given);
    isHeld = true;
    before().then(
      () => end(...given),
      () => response.destroy(),
    );
    return response;
  };
}
