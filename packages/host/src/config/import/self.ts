import type { ServerEntry } from '../schema/server-entry.ts'

/** Whether an entry is this program, which must not start itself. */
export function isThisProgram({ command, args = [], url }: ServerEntry, endpoints: readonly string[]): boolean {
  if (url !== undefined) return endpoints.some((endpoint) => url === endpoint || url.startsWith(`${endpoint}/`))
  const words = [command ?? '', ...args]
  const name = /^(?:.*[\\/])?(?:trunkline(?:\.cmd|\.exe)?|trunkline@[\w.^~-]+|@trunkline\/cli(?:@[\w.^~-]+)?)$/
  const at = words.findIndex((word) => name.test(word))
  // the word may also be an argument of another program, so what stands before it must be what runs packages
  return (
    at === 0 ||
    (at > 0 &&
      words
        .slice(0, at)
        .every((word) =>
          /^(?:(?:.*[\\/])?(?:npx|bunx|pnpm|yarn|bun|node|npm|cmd)(?:\.cmd|\.exe)?|-.*|\/c|dlx|x|exec)$/i.test(word),
        ))
  )
}
