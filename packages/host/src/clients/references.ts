import type { ServerEntry } from '../config/schema/server-entry.ts'

/** Keeps a text as it is where the client replaces nothing in it. */
export function literal(text: string): string {
  return withoutSecrets(text.replaceAll('${', () => '$${'))
}

/** A file of another program can never mean our secrets, so that none of them leaks into programs that it starts. */
export function withoutSecrets(text: string): string {
  if (/^secret:[A-Za-z0-9_.-]+$/.test(text)) return `\${:-${text}}`
  return text.replaceAll(/(?<!\$)\$\{secret:/g, () => '$${secret:')
}

/** `$NAME` and `${NAME}` as Gemini CLI has them, and `%NAME%` on Windows. */
export function fromShell(text: string, isWindows: boolean): string {
  const dollars = text.replaceAll(/\$([A-Za-z_][A-Za-z0-9_]*)/g, (_, name) => `\${${name}}`)
  return isWindows ? dollars.replaceAll(/%([A-Za-z_][A-Za-z0-9_]*)%/g, (_, name) => `\${${name}}`) : dollars
}

/** `{env:NAME}` as OpenCode has it. */
export function fromBraces(text: string): string {
  return literal(text).replaceAll(/(?<!\$)\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name) => `\${${name}}`)
}

/** `${env:NAME}` as Cline has it, and nothing else. */
export function environmentOnly(text: string): string {
  return literal(text).replaceAll(/\$\$\{env:([^}]+)\}/g, (_, name) => `\${env:${name}}`)
}

/** An entry with a change made to each text in which references may stand. */
export function mapTexts(entry: ServerEntry, change: (text: string) => string): ServerEntry {
  const { command, args, env, envFile, cwd, url, headers } = entry
  const table = (texts: { readonly [name: string]: string }) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, change(text)]))
  return {
    ...entry,
    ...(command !== undefined && { command: change(command) }),
    ...(args !== undefined && { args: args.map(change) }),
    ...(env !== undefined && { env: table(env) }),
    ...(envFile !== undefined && { envFile: change(envFile) }),
    ...(cwd !== undefined && { cwd: change(cwd) }),
    ...(url !== undefined && { url: change(url) }),
    ...(headers !== undefined && { headers: table(headers) }),
  }
}

/** The references in an entry that nothing here can replace, such as `${config:x}`. */
export function unknownReferences(entry: ServerEntry): string[] {
  const known = /^(?:(?:env|input):[^}]+|[A-Za-z_][A-Za-z0-9_]*(?::-.*)?|:-.*|\/)$/s
  const texts: string[] = []
  mapTexts(entry, (text) => {
    texts.push(...[...text.matchAll(/(?<!\$)\$\{((?:[^}$]|\$(?!\{))*)\}/g)].map(([, inside]) => `${inside}`))
    return text
  })
  return [...new Set(texts.filter((inside) => !known.test(inside)))]
}
