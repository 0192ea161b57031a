/** Uses the `fetch` of the runtime. */
export async function chooseFetch(): Promise<undefined> {
  return undefined
}
