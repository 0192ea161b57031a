/** Messages of interpreters whose script is not there; the first group is its path. */
const messages: readonly RegExp[] = [
  // node: a missing module of a script that is there has a require stack
  /^Error: Cannot find module '([^']+)'$[\s\S]*^ {2}requireStack: \[\]$/m,
  /^\S*python\S*: can't open file '([^']+)'/im,
  // deno and bun
  /^error: Module not found "([^"]+)"/m,
  // a shell, unless a program that was started before wrote it
  /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:\d+: cannot open )?([^:\n]+): No such file(?: or directory)?\n?$/,
]

/** The path of the script that an interpreter could not find, read from what it wrote to stderr. */
export function missingScript(stderr: string): string | undefined {
  for (const message of messages) {
    const path = message.exec(stderr)?.[1]
    if (path !== undefined) return path
  }
  return undefined
}
