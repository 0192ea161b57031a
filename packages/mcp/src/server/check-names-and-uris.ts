import { McpError } from '../wire/errors.ts'

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
// what stands for itself in no URI: RFC 3986, section 2
const forbidden = /[\s"<>\\^`{|}\p{Cc}]/u
const beyondAscii = /\P{ASCII}/u

/** Refuses an address that clients could not read; hands on what some of them may stumble over. */
export function checkUri(uri: string, warn: (message: string) => void): void {
  if (!scheme.test(uri)) throw misuse('resource', uri, `it is no URI; give it a scheme, as in "app://${uri}"`)
  if (forbidden.test(uri))
    throw misuse('resource', uri, `a URI cannot hold all of it as it is; write "${encodeURI(uri)}"`)
  if (!URL.canParse(uri)) throw misuse('resource', uri, 'clients cannot parse it as a URL')
  if (beyondAscii.test(uri))
    warn(
      `Resource "${uri}" has letters in its URI that some clients encode and then cannot find; write "${encodeURI(uri)}"`,
    )
}

/** Refuses a template none of whose addresses clients could read. */
export function checkTemplate(uriTemplate: string): void {
  const literal = withoutExpressions(uriTemplate)
  if (!scheme.test(uriTemplate) && !uriTemplate.startsWith('{'))
    throw misuse('template', uriTemplate, `it makes no URIs; give it a scheme, as in "app://${uriTemplate}"`)
  if (forbidden.test(literal))
    throw misuse('template', uriTemplate, 'its text has what no URI can hold as it is, such as a space; encode it')
}

const toolName = /^[A-Za-z0-9_.-]{1,128}$/

/** Hands on that clients may refuse a tool of this name. */
export function checkToolName(name: string, warn: (message: string) => void): void {
  if (toolName.test(name)) return
  const why =
    name.length > 128 ? 'is longer than 128 characters' : 'has other characters than letters, digits, "_", "-" and "."'
  warn(`Tool "${name}" may be refused by clients: its name ${why}`)
}

function misuse(kind: string, address: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot add ${kind} "${address}": ${problem}`)
}

/** A template with its expressions cut out. */
function withoutExpressions(uriTemplate: string): string {
  const [first = '', ...rest] = uriTemplate.split('{')
  return first + rest.map((part) => part.slice(part.indexOf('}') + 1)).join('')
}
