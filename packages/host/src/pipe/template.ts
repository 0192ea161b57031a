import type { Template } from './plan.ts'
import { pointerTokens } from './pointer.ts'

/** Node of a template: a reference, a text made of parts, a value as it is, or members. */
export type TemplateNode =
  | { readonly kind: 'from'; readonly pointer: string }
  | { readonly kind: 'text'; readonly parts: readonly Template[] }
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [name: string, member: Template])[] }
  | { readonly kind: 'wrong'; readonly message: string }

/** Reads one place of a template. */
export function nodeOf(template: Template): TemplateNode {
  if (Array.isArray(template)) return { kind: 'list', items: template }
  if (typeof template !== 'object' || template === null) return { kind: 'value', value: template }
  const members = Object.entries(template)
  const [sign, given] = members.find(([name]) => name.startsWith('$')) ?? []
  if (sign === undefined) return { kind: 'object', members }
  if (members.length > 1) return { kind: 'wrong', message: `"${sign}" must stand alone in its object` }
  return signed(sign, given)
}

function signed(sign: string, given: unknown): TemplateNode {
  if (sign === '$value') return { kind: 'value', value: given }
  if (sign === '$from') {
    if (typeof given === 'string' && pointerTokens(given)?.length) return { kind: 'from', pointer: given }
    return { kind: 'wrong', message: '"$from" must be a JSON Pointer that begins with a step, such as "/step/items/0"' }
  }
  if (sign !== '$text') return { kind: 'wrong', message: `"${sign}" is not known; there are $from, $text and $value` }
  if (Array.isArray(given)) return { kind: 'text', parts: given }
  return { kind: 'wrong', message: '"$text" must be a list of texts and references' }
}

/** Fills in a template; `find` returns the value of a reference, and throws when there is none. */
export function fill(template: Template, find: (pointer: string) => unknown): unknown {
  const node = nodeOf(template)
  switch (node.kind) {
    case 'from':
      return find(node.pointer)
    case 'text':
      return node.parts.map((part) => textOf(fill(part, find))).join('')
    case 'list':
      return node.items.map((item) => fill(item, find))
    case 'object':
      return Object.fromEntries(node.members.map(([name, member]) => [name, fill(member, find)]))
    default:
      return node.kind === 'value' ? node.value : undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Calls back for every node of a template, with its place. */
export function eachNode(template: Template, visit: (node: TemplateNode, at: string) => void, at = ''): void {
  const node = nodeOf(template)
  visit(node, at)
  if (node.kind === 'text') for (const [index, part] of node.parts.entries()) eachNode(part, visit, `${at}[${index}]`)
  if (node.kind === 'list') for (const [index, item] of node.items.entries()) eachNode(item, visit, `${at}[${index}]`)
  if (node.kind === 'object') for (const [name, member] of node.members) eachNode(member, visit, `${at}.${name}`)
}
