/** Message of a person in a conversation. */
export interface SaidInput {
  readonly text?: string
  /** Addresses of resources. */
  readonly attach?: string[]
  readonly prompt?: { readonly name: string; readonly arguments?: { [name: string]: string } }
}

const attached = /^@[a-z][a-z0-9+.-]*:\S+$/i
const argument = /^([^\s=]+)=([\s\S]*)$/

/** Splits a message into its text and its attachments: `@` and an address attach a resource. */
export function saidInput(text: string): SaidInput {
  const attach = text
    .split(/\s+/)
    .filter((word) => attached.test(word))
    .map((word) => word.slice(1))
  return { ...(text !== '' && { text }), ...(attach.length > 0 && { attach: [...new Set(attach)] }) }
}

/** The use of a prompt, `NAME name=value text`: its name, its arguments, and the rest of the message. */
export function promptInput(line: string): SaidInput & { readonly prompt: { readonly name: string } } {
  const [name = '', ...words] = wordsOf(line)
  const given = words.map((word) => argument.exec(word)).filter((found) => found !== null)
  const rest = words.filter((word) => !argument.test(word)).join(' ')
  const args = Object.fromEntries(given.map(([, key = '', value = '']) => [key, value]))
  return { ...saidInput(rest), prompt: { name, arguments: args } }
}

/** Words apart at spaces; quotes keep a value together. */
export function wordsOf(text: string): readonly string[] {
  const found = text.match(/(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  return found.map((word) =>
    word.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => inner.replaceAll('\\"', '"')),
  )
}
