import { methods } from '../model/features.ts'
import { type Fields, isObject } from '../wire/messages.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import type { Vocabulary } from '../wire/vocabulary.ts'

interface Judge {
  readonly types: Vocabulary['types']
  warn(message: string): void
}

/** A list without its invalid entries, so that one bad entry does not hide all others. */
export function withoutInvalidItems(method: string, result: Fields, { types, warn }: Judge): Fields | undefined {
  const { paged: member, itemType = '' } = methods.get(method) ?? {}
  const items = member && result[member]
  if (!member || !Array.isArray(items)) return undefined
  const shape = types[itemType]
  const kept = items.filter((item, at) => {
    const problem = shape?.check(item)
    if (problem) warn(`Left out ${member}[${at}]${nameOf(item)}: ${describeShapeProblem(problem)}`)
    return !problem
  })
  return { ...result, [member]: kept }
}

function nameOf(item: unknown): string {
  return isObject(item) && typeof item.name === 'string' ? ` "${item.name}"` : ''
}
