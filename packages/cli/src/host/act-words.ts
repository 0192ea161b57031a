import { usageFailure } from '../failure/failure.ts'

/** A call as it is typed: `server:tool`, and arguments as NAME=VALUE, where JSON is read as JSON. */
export function parseActWords(
  target: string,
  words: readonly string[],
): { readonly server: string; readonly tool: string; readonly args: { readonly [name: string]: unknown } } {
  const [, server, tool] = /^([a-z0-9-]+):(.+)$/.exec(target) ?? []
  if (server === undefined || tool === undefined) {
    throw usageFailure(`Cannot read "${target}": write it as SERVER:TOOL`)
  }
  return { server, tool, args: Object.fromEntries(words.map(argumentOf)) }
}

function argumentOf(word: string): [string, unknown] {
  const at = word.indexOf('=')
  if (at < 1) throw usageFailure(`Cannot read "${word}": write arguments as NAME=VALUE`)
  const text = word.slice(at + 1)
  try {
    return [word.slice(0, at), JSON.parse(text)]
  } catch {
    return [word.slice(0, at), text]
  }
}
