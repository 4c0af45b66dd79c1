/** The keys of the decision trail, as the settings of every gateway that a test starts. */
export const trailKeys = {
  TRAIL_KEY: 'test-trail-key-0123456789abcdef0123456789',
  PSEUDONYM_KEY: 'test-pseudonym-key-0123456789abcdef012345',
} as const;
