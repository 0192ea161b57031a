/** A command of a program, as its help lists it. */
export interface ListedCommand {
  readonly name: string
  readonly summary: string
}

/** The commands that a help text lists, under headings or beside a usage line that speaks of commands. */
export function readCommands(help: string): readonly ListedCommand[] {
  if (!/\bcommands?\b/i.test(help)) return []
  const found = new Map<string, ListedCommand>()
  let isListing = false
  for (const line of help.split('\n')) {
    if (line.trim() === '') continue
    const entry = /^(?: {1,8}|\t)([a-z][\w:-]*)(?:, [a-z][\w-]*)*\*?(?: {2,}|\t+| - )(\S.*)$/.exec(line)
    if (!/^\s/.test(line)) isListing = isCommandHeading(line, help)
    else if (entry && isListing) {
      const [, name = '', summary = ''] = entry
      if (!asksForHelp.has(name) && !found.has(name)) found.set(name, { name, summary: summary.replace(/^[-–] /, '') })
    }
  }
  return [...found.values()]
}

const asksForHelp = new Set(['help', 'completion', 'version'])

/** Some programs sort their commands under headings that do not say so. */
function isCommandHeading(line: string, help: string): boolean {
  if (/^(?:usage|options?|flags?|global|arguments?|examples?|environment|positional|learn more)\b/i.test(line))
    return false
  return /\bcommands?\b/i.test(line) || (/common \w+ commands|<command>/i.test(help) && /^[a-z]/.test(line))
}
