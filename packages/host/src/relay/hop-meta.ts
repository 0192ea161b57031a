import type { Fields } from '@trunkline/mcp'
import { forwardedMeta } from '@trunkline/mcp/relay'

/** A message of one side without the members of its `_meta` that are only for the host. */
export function withoutHop<Message extends object>(message: Message): Message {
  if ((message as Fields)._meta === undefined) return message
  const { _meta, ...rest } = message as Message & { readonly _meta: Fields }
  const meta = forwardedMeta(_meta)
  return (meta ? { ...rest, _meta: meta } : rest) as Message
}
