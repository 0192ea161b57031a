import type { Caller } from '../dialects/dialect.ts'
import type { Resource } from '../model/types.ts'
import { RpcError } from '../wire/errors.ts'
import { describeShapeProblem } from '../wire/shape.ts'
import { BadResult } from './bad-result.ts'
import type { Failures } from './handler-errors.ts'
import type { ResourceRegistries, TemplateEntry } from './resource-entry.ts'
import { wireShapeOf } from './wire-shapes.ts'

/** Every resource that a caller can see: single ones, and those that templates list. */
export async function listResources(
  { resources, templates }: ResourceRegistries,
  caller: Caller,
  failures: Failures,
): Promise<readonly Resource[]> {
  const single = [...resources.list(caller)].map(([, { resource }]) => resource)
  const named = [...templates.list(caller)].map(([name, entry]) => listed(name, entry, { caller, failures }))
  return [...single, ...(await Promise.all(named)).flat()]
}

interface Asked {
  readonly caller: Caller
  readonly failures: Failures
}

/** The resources that one template lists; invalid ones are reported and left out. */
async function listed(
  name: string,
  { list, mimeType }: TemplateEntry,
  { caller, failures: { report } }: Asked,
): Promise<readonly Resource[]> {
  const what = `Template "${name}"`
  try {
    const items: unknown = (await list?.(caller)) ?? []
    if (!Array.isArray(items)) throw new BadResult(`${what} listed no array: return [{ uri, name }, …]`)
    return items.flatMap((item: Resource, at) => {
      const problem = wireShapeOf('Resource').check(item)
      if (problem)
        report(new BadResult(`${what} listed what clients cannot read: [${at}].${describeShapeProblem(problem)}`), what)
      return problem ? [] : [mimeType === undefined ? item : { mimeType, ...item }]
    })
  } catch (error) {
    if (error instanceof RpcError && !(error instanceof BadResult)) throw error
    report(error, what)
    return []
  }
}
