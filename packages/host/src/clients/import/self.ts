import type { ServerEntry } from '../../config/schema/server-entry.ts'

/** Words that make this program the host, or lead to it; with any other word it is a server like others. */
const hosting: ReadonlySet<string | undefined> = new Set([undefined, 'stdio', 'up'])

/** True if an entry is this host, which must not start itself. */
export function isThisProgram({ command, args = [], url }: ServerEntry, endpoints: readonly string[]): boolean {
  if (url !== undefined) return endpoints.some((endpoint) => url === endpoint || url.startsWith(`${endpoint}/`))
  const words = [command ?? '', ...args]
  const name = /^(?:.*[\\/])?(?:trunkline(?:\.cmd|\.exe|\.js)?|trunkline@[\w.^~-]+|@trunkline\/cli(?:@[\w.^~-]+)?)$/
  const at = words.findIndex((word) => name.test(word))
  if (!hosting.has(words.slice(at + 1).find((word) => !word.startsWith('-')))) return false
  // the word may also be an argument of another program, so the words before it must be a package runner
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
