import { SegmentWriter } from '../../../src/trail/segment-writer.js';

/** The gateway, but the event of a request is not written: the difference is the cost of the trail. */
SegmentWriter.prototype.record = () => undefined;
await import('../../../src/main.js');
