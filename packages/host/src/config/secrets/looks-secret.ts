/** Words in a name, each as a word of its own, that say that the value is a secret. */
const secretWords =
  /(?:^|_)(?:token|secret|password|passwd|passphrase|pwd|apikey|credentials?|cookie|bearer|pat|auth|authorization|dsn)(?:$|_)|(?:^|_)(?:api|access|private|secret|service|account|signing|encryption|master|role)_?key(?:$|_)/
/** Most variables that end so are secrets; in a form it may as well be an identifier, such as `project_key`. */
const someKey = /_key$/
/** Names that end like secrets and are none. */
const harmless =
  /(?:^|_)(?:public_key|key_id|token_(?:limit|count|type|url|endpoint)|max_tokens?|auth_(?:type|mode|method|url|provider))$/

/** Prefixes and forms of the secrets of known services. */
const knownForms: readonly (readonly [form: RegExp, what: string])[] = [
  [/\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{20,}/, 'a GitHub token'],
  [/\bgithub_pat_[A-Za-z0-9_]{20,}/, 'a GitHub token'],
  [/\bglpat-[A-Za-z0-9_-]{16,}/, 'a GitLab token'],
  [/\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{16,}/, 'an API key'],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10,}/, 'a Slack token'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/, 'an AWS key'],
  [/\bAIza[A-Za-z0-9_-]{30,}/, 'a Google API key'],
  [/\bnpm_[A-Za-z0-9]{30,}/, 'an npm token'],
  [/\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}/, 'a Stripe key'],
  [/\b(?:ntn|secret)_[A-Za-z0-9]{30,}/, 'a Notion token'],
  [/\blin_api_[A-Za-z0-9]{20,}/, 'a Linear key'],
  [/\bhf_[A-Za-z0-9]{20,}/, 'a Hugging Face token'],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/, 'a signed token'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*/, 'a private key'],
]

/** True if the name of a variable, header or option says that its value is a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name)
  return (secretWords.test(words) || someKey.test(words)) && !harmless.test(words)
}

/** True if the name of something that a person is asked for says that it is a secret. */
export function asksForSecret(name: string): boolean {
  const words = wordsOf(name)
  return secretWords.test(words) && !harmless.test(words)
}

function wordsOf(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase()
}

/** A part of a text that is a secret, and why it is taken for one. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly why: string
}

/** The part of a text that has the form of a known secret, or that an address carries as one. */
export function secretIn(text: string): SecretSpan | undefined {
  for (const [form, what] of knownForms) {
    const match = form.exec(text)
    if (match !== null) return { start: match.index, end: match.index + match[0].length, why: `it looks like ${what}` }
  }
  return passwordInAddress(text) ?? parameterInAddress(text)
}

/** The part of a value that is a secret because its name says so. */
export function secretByName(name: string, value: string): SecretSpan | undefined {
  if (!isSecretName(name)) return undefined
  const [scheme = ''] = /^(?:Bearer|Basic|Token|ApiKey)\s+/i.exec(value) ?? []
  const rest = value.slice(scheme.length)
  // no secret: nothing, a reference, a flag, a number, a short word, a path, an address
  if (/^(?:|.*\$\{.*|true|false|yes|no|none|null|[\d.]+|\S{1,5}|[.~]?\/.*|[A-Za-z]:\\.*|https?:\/\/.*)$/.test(rest))
    return undefined
  return { start: scheme.length, end: value.length, why: `"${name}" is the name of a secret` }
}

function passwordInAddress(text: string): SecretSpan | undefined {
  const match = /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@$]*:([^\s/@$]+)@/i.exec(text)
  if (match?.[1] === undefined) return undefined
  const end = match.index + match[0].length - 1
  return { start: end - match[1].length, end, why: 'the address holds a password' }
}

function parameterInAddress(text: string): SecretSpan | undefined {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return undefined
  for (const match of text.matchAll(/[?&]([^=&#\s]+)=([^&#\s]*)/g)) {
    const [whole, name = '', value = ''] = match
    if (secretByName(name, value) === undefined) continue
    const end = match.index + whole.length
    return { start: end - value.length, end, why: `"${name}" is the name of a secret` }
  }
  return undefined
}
