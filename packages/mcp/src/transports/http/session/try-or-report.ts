/** Runs a function, synchronous or not, and reports its error. */
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
