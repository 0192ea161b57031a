/** Where there is no better way than the `fetch` of the runtime, there is nothing to choose. */
export async function chooseFetch(): Promise<undefined> {
  return undefined
}
