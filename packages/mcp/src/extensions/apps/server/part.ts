import type { ServerHost, ServerPart, ToolAddition } from '../../../server/extension.ts'
import { McpError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import { didYouMean } from '../../../wire/near-name.ts'
import { appsExtensionId } from '../../../wire/vocabularies/apps-extension.ts'
import { viewMimeType } from '../app-meta.ts'
import { viewMetaOf } from './check-view.ts'
import type { ServerAppOptions, ViewDefinition } from './server-app-options.ts'

/** Offers views on a server: each is a resource, and tools point at them. */
export function appServer(host: ServerHost, { views = {} }: ServerAppOptions): ServerPart {
  for (const [uri, definition] of Object.entries(views)) offerView(host, uri, definition)
  return {
    settings: { mimeTypes: [viewMimeType] },
    fields: ['view', 'visibility'],
    tool: (name, definition) => toolWithView(name, definition, views),
  }
}

function offerView({ offers }: ServerHost, uri: string, definition: ViewDefinition): void {
  const ui = viewMetaOf(uri, definition)
  const { html, name, description } = definition
  const meta = Object.keys(ui).length > 0 ? { ui } : undefined
  const shown = {
    mimeType: viewMimeType,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(meta && { meta }),
  }
  offers.resource(uri, shown, async () => {
    const text = typeof html === 'function' ? await html() : html
    return { uri, mimeType: viewMimeType, text, ...(meta && { _meta: meta }) }
  })
}

function toolWithView(tool: string, { view, visibility }: Fields, views: object): ToolAddition | undefined {
  if (view === undefined && visibility === undefined) return undefined
  if (view !== undefined && !Object.hasOwn(views, view as string)) {
    const names = Object.keys(views)
    throw refusal(tool, `there is no view "${view}"${didYouMean(String(view), names)}; give it to apps({ views })`)
  }
  if (visibility !== undefined && !isVisibility(visibility))
    throw refusal(tool, `"visibility" must be a list of "model" and "app", not ${JSON.stringify(visibility)}`)
  const ui = { ...(view !== undefined && { resourceUri: view }), ...(visibility !== undefined && { visibility }) }
  const isForModels = visibility === undefined || (visibility as readonly string[]).includes('model')
  return {
    listed: { _meta: { ui } },
    // a client without views would show it to a model
    ...(!isForModels && { visible: ({ capabilities }) => showsViews(capabilities.extensions) }),
  }
}

function isVisibility(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((one) => one === 'model' || one === 'app')
}

function showsViews(extensions: unknown): boolean {
  const settings = isObject(extensions) ? extensions[appsExtensionId] : undefined
  return isObject(settings) && Array.isArray(settings.mimeTypes) && settings.mimeTypes.includes(viewMimeType)
}

function refusal(tool: string, problem: string): McpError {
  return new McpError('Misuse', `Cannot add tool "${tool}": ${problem}`)
}
