/** The essence of a `Content-Type`, in lower case and without parameters; nothing when it is not one. */
export function mediaTypeOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const end = value.indexOf(';')
  const essence = (end < 0 ? value : value.slice(0, end)).trim().toLowerCase()
  const slash = essence.indexOf('/')
  return slash > 0 && slash === essence.lastIndexOf('/') && slash < essence.length - 1 && !essence.includes(' ')
    ? essence
    : undefined
}

/** Remembers what was found about a header value: clients repeat themselves. */
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

/** Whether an `Accept` header takes a media type; an absent one takes everything. */
export function accepts(value: string | undefined, mediaType: string): boolean {
  if (value === undefined) return true
  const family = `${mediaType.slice(0, mediaType.indexOf('/'))}/*`
  return value.split(',').some((range) => {
    const taken = mediaTypeOf(range)
    if (taken !== mediaType && taken !== family && taken !== '*/*') return false
    return !/;\s*q\s*=\s*0(?:\.0*)?\s*$/i.test(range)
  })
}

/** Whether a `Content-Type` is that of a message, which is JSON in UTF-8 and in nothing else. */
export const isJsonContentType = remembered((type) => mediaTypeOf(type) === 'application/json' && isUtf8(type ?? ''))

/** Whether every `charset` among the parameters of a media type names UTF-8. */
function isUtf8(type: string): boolean {
  const [, ...parameters] = type.toLowerCase().split(';')
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim())
    return name !== 'charset' || /^(?:utf-?8|"utf-?8")$/.test(value)
  })
}

/** Whether an `Accept` takes a stream of events. */
export const acceptsEvents = remembered((accept) => accepts(accept, 'text/event-stream'))

/** Whether an `Accept` takes whatever a request may be answered with. */
export const acceptsBoth = remembered((accept) => accepts(accept, 'application/json') && acceptsEvents(accept))
