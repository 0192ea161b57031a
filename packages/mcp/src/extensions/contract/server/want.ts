import type { Fields } from '../../../wire/messages.ts'
import { isObject } from '../../../wire/messages.ts'
import { type LeftOut, type Want, withResultTerms } from '../terms.ts'

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value) ?? '').length

/** Leaves out of a result what its caller does not want, and says so. */
export function asWanted(result: Fields, { fields, maxBytes }: Want): Fields {
  if (fields === undefined && maxBytes === undefined) return result
  const bytes = weigh(result)
  const { projected, missing } = fields ? project(result, fields) : { projected: result, missing: [] }
  const fits = maxBytes === undefined || weigh(projected) <= maxBytes
  const kept = fits ? projected : cutToBytes(projected, maxBytes)
  const leftOut: LeftOut = { bytes, ...(missing.length > 0 && { missing }), ...(!fits && { isCut: true }) }
  return withResultTerms(kept, { leftOut })
}

/** The bytes of JSON that content and structured content have. */
export function weigh({ content, structuredContent }: Fields): number {
  return bytesOf(content) + (structuredContent === undefined ? 0 : bytesOf(structuredContent))
}

interface Projection {
  readonly projected: Fields
  readonly missing: readonly string[]
}

/** Keeps the named members of the structured content; its text for older clients is made of the same. */
function project(result: Fields, pointers: readonly string[]): Projection {
  const whole = result.structuredContent
  if (!isObject(whole) && !Array.isArray(whole)) return { projected: result, missing: pointers }
  const missing: string[] = []
  const chosen: { [pointer: string]: unknown } = {}
  for (const pointer of pointers) {
    const value = valueAt(whole, pointer)
    if (value === undefined) missing.push(pointer)
    else chosen[pointer] = value
  }
  const structuredContent = shaped(chosen)
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }]
  return { projected: { ...result, content, structuredContent }, missing }
}

function valueAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const step of stepsOf(pointer)) {
    if ((!isObject(at) && !Array.isArray(at)) || !Object.hasOwn(at, step)) return undefined
    at = (at as Fields)[step]
  }
  return at
}

/** The chosen values in objects of the shape that they were in; a member of a list keeps its number as its name. */
function shaped(chosen: Fields): unknown {
  if (Object.hasOwn(chosen, '')) return chosen['']
  const root: { [name: string]: unknown } = {}
  for (const [pointer, value] of Object.entries(chosen)) {
    const steps = stepsOf(pointer)
    let at = root
    for (const step of steps.slice(0, -1)) {
      const inside = isObject(at[step]) ? { ...at[step] } : {}
      define(at, step, inside)
      at = inside
    }
    define(at, steps.at(-1) ?? '', value)
  }
  return root
}

// a member called "__proto__" is a member like any other
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Head and tail of the text; structured content that does not fit is left out, since half of it is worth nothing. */
export function cutToBytes({ structuredContent, ...result }: Fields, maxBytes: number): Fields {
  const blocks = Array.isArray(result.content) ? (result.content as readonly Fields[]) : []
  const text = blocks.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('\n')
  let room = Math.min(text.length, maxBytes)
  while (room > 0 && bytesOf(textOf(text, room)) > maxBytes) room = Math.floor(room * 0.9) - 1
  const content = room > 0 ? textOf(text, room) : []
  // a result that promised structure and has none has failed
  return { ...result, content, ...(structuredContent !== undefined && { isError: true }) }
}

function textOf(text: string, room: number): readonly Fields[] {
  if (text.length <= room) return [{ type: 'text', text }]
  const head = text.slice(0, Math.ceil((room * 2) / 3))
  const tail = text.slice(text.length - Math.floor(room / 3))
  const gap = `\n[… ${text.length - head.length - tail.length} of ${text.length} characters left out …]\n`
  return [{ type: 'text', text: `${head}${gap}${tail}` }]
}
