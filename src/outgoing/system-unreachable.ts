/**
 * Another system gave no answer that can be used: no fault of the gateway. The message is the gateway's own, so the log may
 * show it.
 */
export abstract class SystemUnreachable extends Error {}
