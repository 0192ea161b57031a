import type { Step, Template } from './plan.ts'
import { eachNode } from './template.ts'
import { splitPointer } from './visible-steps.ts'

/** The steps by which a step that refers to another one comes back to itself; undefined when it does not. */
export function circleOf(steps: readonly Step[], from: string, to: string): readonly string[] | undefined {
  if (from === to) return undefined
  const named = new Map(steps.map((step) => [step.id, namesIn(step)]))
  const seen = new Set<string>()
  const waiting: (readonly string[])[] = [[from, to]]
  for (let way = waiting.shift(); way; way = waiting.shift()) {
    const last = way.at(-1) ?? ''
    if (last === from) return way
    if (seen.has(last)) continue
    seen.add(last)
    for (const next of named.get(last) ?? []) if (named.has(next)) waiting.push([...way, next])
  }
  return undefined
}

/** The names that the references of a step begin with, those of the steps inside it included. */
function namesIn(step: Step): ReadonlySet<string> {
  const names = new Set<string>()
  const look = (template: Template): void =>
    eachNode(template, (node) => {
      if (node.kind === 'from') names.add(splitPointer(node.pointer).name)
    })
  if (typeof step.onError !== 'string') look(step.onError.use)
  if (step.kind === 'call') look(step.arguments)
  if (step.kind === 'filter') look(step.where)
  if (step.kind === 'map' || step.kind === 'filter') names.add(splitPointer(step.over).name)
  if (step.kind === 'map' || step.kind === 'group') look(step.output)
  if ('steps' in step) for (const inner of step.steps) for (const name of namesIn(inner)) names.add(name)
  return names
}
