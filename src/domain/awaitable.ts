/**
 * What may be at hand already. An embedded store answers at once, and waiting for an answer that is
 * there costs 0.3 µs each time: five such waits made a tenth of a validation.
 */
export type Awaitable<T> = T | Promise<T>

export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}
