type Reply<Answer> = { answer: Answer } | { error: string };

/**
 * Asks a worker that uses answerQuestions(), so that the page stays responsive.
 * @throws the signal's reason if it is aborted first; Error if the worker failed
 */
export function askWorker<Answer>(worker: Worker, question: unknown, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const { port1, port2 } = new MessageChannel();
    const once = { once: true };
    port1.addEventListener(
      'message',
      ({ data }: MessageEvent<Reply<Answer>>) => {
        if ('error' in data) reject(new Error(data.error));
        else resolve(data.answer);
      },
      once,
    );
    port1.start();
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), once);
    signal.addEventListener('abort', () => reject(signal.reason), once);
    worker.postMessage(question, [port2]);
  });
}

/** The worker's side: sends the answer to each question, or the error. */
export function answerQuestions<Answer>(answer: (event: MessageEvent) => Answer | Promise<Answer>): void {
  addEventListener('message', (event: MessageEvent) => {
    void Promise.resolve(event)
      .then(answer)
      .then((given): Reply<Answer> => ({ answer: given }))
      .catch((error: unknown): Reply<Answer> => ({ error: String(error) }))
      .then((reply) => event.ports[0]?.postMessage(reply));
  });
}
