/** The essence of a `Content-Type`, in lower case without parameters; undefined when it is not valid. */
export function mediaTypeOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const end = value.indexOf(';')
  const essence = (end < 0 ? value : value.slice(0, end)).trim().toLowerCase()
  const slash = essence.indexOf('/')
  return slash > 0 && slash === essence.lastIndexOf('/') && slash < essence.length - 1 && !essence.includes(' ')
    ? essence
    : undefined
}

/** Caches the result for a header value, because clients repeat them. */
export function remembered<Verdict>(
  judge: (value: string | undefined) => Verdict,
): (value: string | undefined) => Verdict {
  const known = new Map<string | undefined, Verdict>()
  return (value) => {
    const before = known.get(value)
    if (before !== undefined) return before
    const verdict = judge(value)
    if (known.size < mostRemembered && (value?.length ?? 0) <= longestRemembered) known.set(value, verdict)
    return verdict
  }
}

const mostRemembered = 256
const longestRemembered = 256

/** True if an `Accept` header accepts a media type; a missing one accepts everything. */
export function accepts(value: string | undefined, mediaType: string): boolean {
  if (value === undefined) return true
  const family = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`
  return value.split(',').some((range) => {
    const taken = mediaTypeOf(range)
    if (taken !== mediaType && taken !== family && taken !== '*/*') return false
    return !/;\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(range)
  })
}

/** True if a `Content-Type` is JSON in UTF-8. */
export const isJsonContentType = remembered((type) => mediaTypeOf(type) === 'application/json' && isUtf8(type ?? ''))

/** True if every `charset` among the parameters of a media type names UTF-8. */
function isUtf8(type: string): boolean {
  const [, ...parameters] = type.toLowerCase().split(';')
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim())
    return name !== 'charset' || /^(?:utf-?8|"utf-?8")$/.test(value)
  })
}

/** True if an `Accept` header accepts an event stream. */
export const acceptsEvents = remembered((accept) => accepts(accept, 'text/event-stream'))

/** True if an `Accept` header accepts both JSON and an event stream. */
export const acceptsBoth = remembered((accept) => accepts(accept, 'application/json') && acceptsEvents(accept))
