/**
 * The result of `work`; that of `otherwise` if `work` has neither succeeded nor failed after `ms`. For what a browser may leave undone without
 * saying so: caches, locks and other storage.
 */
export function withinTime<Value>(
  work: Promise<Value>,
  ms: number,
  otherwise: () => Value | Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(otherwise());
      } catch (error) {
        reject(error);
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
