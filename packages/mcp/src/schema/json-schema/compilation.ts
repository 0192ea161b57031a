import { type Fields, isObject } from '../../wire/messages.ts'
import { all, forbid, pass } from './combine-checks.ts'
import type { SchemaLimits } from './compile-options.ts'
import type { Keyword, Site } from './draft.ts'
import { Patterns } from './pattern/patterns.ts'
import { ref } from './reference-keywords.ts'
import { References, type ReferenceTarget, type SchemaResource } from './references.ts'
import { SchemaError } from './schema-error.ts'
import { withLeftovers } from './unevaluated.ts'
import type { Check, Run } from './validation-run.ts'

/** A place for a check that is still to be compiled, so that schemas may refer to themselves. */
interface Slot {
  check: Check
}

/** One schema on its way to a check. Nothing of it outlives the result, so two schemas can never meet. */
export class Compilation {
  readonly #references: References
  readonly #patterns: Patterns
  readonly #slots = new Map<unknown, Slot>()
  readonly #dynamicSlots = new Map<string, ReadonlyMap<SchemaResource, Slot>>()
  readonly #waiting: (() => void)[] = []

  constructor(schema: unknown, limits: SchemaLimits) {
    this.#references = new References(schema, limits)
    this.#patterns = new Patterns(limits)
  }

  /** Compiles the schema with everything it refers to. */
  finish(): { readonly check: Check; readonly resource: SchemaResource } {
    const { root } = this.#references
    const check = this.#compile(root.root, root, 0)
    // a list instead of recursion: a chain of references may be longer than the call stack
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) next()
    return { check, resource: root }
  }

  #compile(schema: unknown, resource: SchemaResource, depth: number): Check {
    if (schema === true) return pass
    if (schema === false) return forbid
    if (!isObject(schema)) throw new SchemaError('Cannot use schema: a subschema is neither an object nor a boolean')
    const { draft } = resource
    const site = this.#site(schema, resource, depth)
    if (draft.refStandsAlone && schema.$ref !== undefined) return ref(site) ?? pass
    const check = all(compileKeywords(draft.keywords, site))
    const leftovers = compileKeywords(draft.leftovers, site)
    return leftovers.length === 0 ? check : withLeftovers(check, all(leftovers))
  }

  #site(schema: Fields, resource: SchemaResource, depth: number): Site {
    return {
      schema,
      subschema: (part) => {
        const own = isObject(part) ? this.#references.resourceOf(part, resource) : resource
        const check = this.#compile(part, own, depth + 1)
        return own === resource ? check : within(own, check)
      },
      pattern: (source) => this.#patterns.compile(source),
      reference: (reference, kind) => {
        const target = this.#references.resolve(reference, resource)
        const name = reference.slice(reference.indexOf('#') + 1)
        const isDynamic = kind === 'dynamic' && target.resource.dynamicAnchors.get(name) === target.schema
        const slot = this.#slot(target)
        return follow(isDynamic ? outermost(this.#dynamic(name), slot) : () => slot, depth + 1)
      },
    }
  }

  #slot({ schema, resource }: ReferenceTarget): Slot {
    const known = this.#slots.get(schema)
    if (known) return known
    const slot: Slot = { check: pass }
    this.#slots.set(schema, slot)
    this.#waiting.push(() => {
      const check = this.#compile(schema, resource, 0)
      // the root resource needs no entering: it is the outermost already
      slot.check = resource === this.#references.root ? check : within(resource, check)
    })
    return slot
  }

  #dynamic(name: string): ReadonlyMap<SchemaResource, Slot> {
    const known = this.#dynamicSlots.get(name)
    if (known) return known
    const slots = new Map<SchemaResource, Slot>()
    this.#dynamicSlots.set(name, slots)
    for (const target of this.#references.withDynamicAnchor(name)) slots.set(target.resource, this.#slot(target))
    return slots
  }
}

function compileKeywords(keywords: ReadonlyMap<string, Keyword>, site: Site): readonly Check[] {
  const called = new Set<Keyword>()
  for (const name in site.schema) {
    const keyword = site.schema[name] === undefined ? undefined : keywords.get(name)
    if (keyword) called.add(keyword)
  }
  return [...called].map((keyword) => keyword(site)).filter((check) => check !== undefined)
}

function within(resource: SchemaResource, check: Check): Check {
  return (value, run) => {
    run.resources.push(resource)
    const ok = check(value, run)
    run.resources.pop()
    return ok
  }
}

/** Applies the schema a reference means; `levels` is how deep inside its own schema the reference stands. */
function follow(choose: (run: Run) => Slot, levels: number): Check {
  return (value, run) => {
    run.pay(1)
    run.enter(levels)
    const ok = choose(run).check(value, run)
    run.leave(levels)
    return ok
  }
}

/** Chooses the slot of the outermost resource that has one. */
function outermost(slots: ReadonlyMap<object, Slot>, initial: Slot): (run: Run) => Slot {
  return (run) => {
    run.pay(run.resources.length)
    const resource = run.resources.find((entered) => slots.has(entered))
    return (resource && slots.get(resource)) ?? initial
  }
}
