type Fields = Record<string, unknown>

/** Messages on both hops of a call: between the caller and the gateway, and between it and the server. */
export interface Hops {
  readonly asked: unknown
  readonly sent: unknown
  readonly received: unknown
  readonly answered: unknown
  /** Changes by the gateway, in words. */
  readonly changes: readonly string[]
}

const editedKey = 'dev.trunkline/edited-arguments'

/** Tells both hops apart from what was recorded: the gateway marks what a person changed in the answer to the caller. */
export function hopsOf({ arguments: asked, result }: { readonly [part: string]: unknown }): Hops {
  const answered = result as Fields | undefined
  const meta = answered?._meta as Fields | undefined
  const edited = meta?.[editedKey]
  if (!answered || edited === undefined) return { asked, sent: asked, received: answered, answered, changes: [] }
  const { _meta: _, ...plain } = answered
  const { [editedKey]: _edited, ...others } = meta ?? {}
  const content = Array.isArray(answered.content) ? answered.content.slice(1) : answered.content
  const received = { ...plain, content, ...(Object.keys(others).length > 0 && { _meta: others }) }
  return { asked, sent: edited, received, answered, changes: ['A person changed the arguments; the caller was told'] }
}
