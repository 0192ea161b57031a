/** Runs what may fail now or later, and hands on why it did; the promise is there when that is not known yet. */
export function tryOrReport(
  run: () => void | Promise<void>,
  failed: (error: unknown) => void,
): Promise<void> | undefined {
  try {
    const outcome = run()
    return outcome instanceof Promise ? outcome.catch(failed) : undefined
  } catch (error) {
    failed(error)
    return undefined
  }
}
