const QUEUE = 'cps-lab-readings';
const FAILED = `${QUEUE}-failed`;

/** Miniflare's options for an ingest worker whose readings wait in a queue, as in the lines of ingest/wrangler.toml. */
export const readingsQueue = {
  queueProducers: { READINGS_QUEUE: { queueName: QUEUE } },
  queueConsumers: {
    [QUEUE]: { maxBatchSize: 10, maxBatchTimeout: 1, maxRetries: 20, deadLetterQueue: FAILED },
    [FAILED]: { maxBatchSize: 1, maxRetries: 100 },
  },
};
