/** Where there is no environment, or `fetch` looks into it by itself, there is nothing left to do. */
export async function proxiedFetch(): Promise<undefined> {
  return undefined
}
