import { McpError } from '../wire/errors.ts'

const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/
// characters that a URI cannot contain: RFC 3986, section 2
const forbidden = /[\s"<>\\^`{|}\p{Cc}]/u
const variable = /\{[^{}]+\}/u
const beyondAscii = /\P{ASCII}/u

/** Refuses an invalid URI, and warns about one that some clients cannot handle. */
export function checkUri(uri: string, warn: (message: string) => void): void {
  if (!scheme.test(uri)) throw misuse('resource', uri, `it is not a URI; add a scheme, as in "app://${uri}"`)
  if (variable.test(uri)) throw misuse('resource', uri, `it has variables; write .template("${uri}", { … }, handler)`)
  if (forbidden.test(uri))
    throw misuse('resource', uri, `it has characters that a URI cannot contain; write "${encodeURI(uri)}"`)
  if (!URL.canParse(uri)) throw misuse('resource', uri, 'clients cannot parse it as a URL')
  if (beyondAscii.test(uri))
    warn(
      `Resource "${uri}" has non-ASCII characters in its URI, which some clients encode and then cannot find; write "${encodeURI(uri)}"`,
    )
}

/** Refuses a template that cannot produce valid URIs. */
export function checkTemplate(uriTemplate: string): void {
  const literal = withoutExpressions(uriTemplate)
  if (!scheme.test(uriTemplate) && !uriTemplate.startsWith('{'))
    throw misuse('template', uriTemplate, `it does not produce URIs; add a scheme, as in "app://${uriTemplate}"`)
  if (forbidden.test(literal))
    throw misuse(
      'template',
      uriTemplate,
      'it has characters that a URI cannot contain, such as a space; percent-encode them',
    )
}

const toolName = /^[A-Za-z0-9_.-]{1,128}$/

/** Warns about a tool name that clients may refuse. */
export function checkToolName(name: string, warn: (message: string) => void): void {
  if (toolName.test(name)) return
  const why =
    name.length > 128 ? 'is longer than 128 characters' : 'has other characters than letters, digits, "_", "-" and "."'
  warn(`Tool "${name}" may be refused by clients: its name ${why}`)
}

function misuse(kind: string, address: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot add ${kind} "${address}": ${problem}`)
}

/** A template without its expressions. */
function withoutExpressions(uriTemplate: string): string {
  const [first = '', ...rest] = uriTemplate.split('{')
  return first + rest.map((part) => part.slice(part.indexOf('}') + 1)).join('')
}
