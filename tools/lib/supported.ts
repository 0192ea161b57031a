/** The oldest Node that a developer needs to install, and that the published library runs on. */
export const oldestNode = '20.19'

/** Published packages that need a newer Node than the library, by name, with the oldest that they run on. */
export const newerNode: { readonly [name: string]: string } = {
  '@trunkline/console': '22.13',
  '@trunkline/host': '22.13',
  trunkline: '22.13',
}

/** `engines` of a package as it is published; in the workspace it says what a developer needs. */
export function publishedEngines(name: string): { readonly node: string } {
  return { node: `>=${newerNode[name] ?? oldestNode}` }
}
