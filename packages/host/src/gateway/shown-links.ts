import type { Fields } from '@trunkline/mcp'

/** A result with every resource address in the form that the caller knows; the same object if none differs. */
export function withShownLinks(result: Fields, shown: (uri: string) => string): Fields {
  const { content, contents, messages } = result
  const changed = {
    ...(Array.isArray(content) && { content: all(content, (block) => shownBlock(block, shown)) }),
    ...(Array.isArray(contents) && { contents: all(contents, (one) => shownUri(one, shown)) }),
    ...(Array.isArray(messages) && { messages: all(messages, (message) => shownMessage(message, shown)) }),
  }
  const isSame = Object.entries(changed).every(([member, value]) => value === result[member])
  return isSame ? result : { ...result, ...changed }
}

function shownBlock(block: Fields, shown: (uri: string) => string): Fields {
  if (block?.type === 'resource_link') return shownUri(block, shown)
  if (block?.type !== 'resource') return block
  const resource = shownUri(block.resource as Fields, shown)
  return resource === block.resource ? block : { ...block, resource }
}

function shownMessage(message: Fields, shown: (uri: string) => string): Fields {
  const { content } = message
  const changed = Array.isArray(content)
    ? all(content, (block) => shownBlock(block, shown))
    : shownBlock(content as Fields, shown)
  return changed === content ? message : { ...message, content: changed }
}

function shownUri(one: Fields, shown: (uri: string) => string): Fields {
  if (typeof one?.uri !== 'string') return one
  const uri = shown(one.uri)
  return uri === one.uri ? one : { ...one, uri }
}

/** The same array if nothing in it differs. */
function all(items: readonly Fields[], change: (item: Fields) => Fields): readonly Fields[] {
  const changed = items.map(change)
  return changed.every((item, at) => item === items[at]) ? items : changed
}
