import type { Tool } from '../../../model/types.ts'
import type { Incoming } from '../../../rpc/incoming.ts'
import { InvalidParams, InvalidRequest, MethodNotFound, RpcError } from '../../../wire/errors.ts'
import { type Fields, isObject } from '../../../wire/messages.ts'
import {
  anyObject,
  array,
  describeShapeProblem,
  object,
  oneOfWords,
  optional,
  type Shape,
  string,
} from '../../../wire/shape.ts'
import { appsProtocolVersion } from '../../../wire/vocabularies/apps-extension.ts'
import type { ViewDomains, ViewPermissions } from '../app-meta.ts'
import { isForApp } from '../tool-meta.ts'
import type {
  DisplayMode,
  HostContext,
  ViewBridgeOptions,
  ViewMessage,
  ViewModelContext,
} from './view-bridge-options.ts'

/** An error of a host that no other number fits. */
const refused = -32_000

const block = object({ type: string })
const modes = ['inline', 'fullscreen', 'pip'] as const

const shapes: { readonly [method: string]: Shape } = {
  'ui/initialize': object({ appInfo: object({ name: string, version: string }), appCapabilities: optional(anyObject) }),
  'tools/call': object({ name: string, arguments: optional(anyObject) }),
  'resources/read': object({ uri: string }),
  'ui/open-link': object({ url: string }),
  'ui/message': object({ role: oneOfWords('user'), content: array(block) }),
  'ui/update-model-context': object({ content: optional(array(block)), structuredContent: optional(anyObject) }),
  'ui/request-display-mode': object({ mode: oneOfWords(...modes) }),
}

/** State that the requests of a view need beside the options. */
export interface ViewRequestState {
  context: HostContext
  /** The modes that the view can be shown in; undefined when it did not say. */
  appModes: readonly unknown[] | undefined
  /** True once the view has introduced itself. */
  hasIntroduced: boolean
  readonly sandbox: { readonly csp: ViewDomains; readonly permissions: ViewPermissions }
}

type Serve = (params: Fields, incoming: Incoming) => Promise<Fields> | Fields

/** Serves the requests of one view. */
export function viewRequests(
  options: ViewBridgeOptions,
  state: ViewRequestState,
): (incoming: Incoming) => Promise<Fields> {
  const serve = handlers(options, state)
  return async (incoming) => {
    const { method, params } = incoming
    const handler = Object.hasOwn(serve, method) ? serve[method] : undefined
    if (!handler) throw new RpcError(MethodNotFound, `Cannot serve "${method}": this host does not offer it`)
    if (!state.hasIntroduced && method !== 'ui/initialize' && method !== 'ping')
      throw new RpcError(InvalidRequest, `Cannot serve "${method}": begin with "ui/initialize"`)
    const given = method === 'ui/message' ? withBlocks(params) : params
    const problem = shapes[method]?.check(given)
    if (problem) throw new RpcError(InvalidParams, `Cannot serve "${method}": params.${describeShapeProblem(problem)}`)
    return handler(given, incoming)
  }
}

function handlers(options: ViewBridgeOptions, state: ViewRequestState): { readonly [method: string]: Serve } {
  const { client, onOpenLink, onMessage, onModelContext } = options
  return {
    ping: () => ({}),
    'ui/initialize': (params) => initialize(params, options, state),
    'tools/call': (params, incoming) => callTool(params, incoming, options),
    'resources/read': async ({ uri }, { signal }) => ({ ...(await client.resources.read(uri as string, { signal })) }),
    ...(onOpenLink && {
      'ui/open-link': async ({ url }) => accepted(await onOpenLink(webAddress(url as string)), 'open it'),
    }),
    ...(onMessage && {
      'ui/message': async (params) => ((await onMessage(params as unknown as ViewMessage)) ? {} : { isError: true }),
    }),
    ...(onModelContext && {
      'ui/update-model-context': async ({ content, structuredContent }) => {
        const given = {
          ...(content !== undefined && { content }),
          ...(structuredContent !== undefined && { structuredContent }),
        }
        await onModelContext(given as ViewModelContext)
        return {}
      },
    }),
    'ui/request-display-mode': async ({ mode }) => ({ mode: await displayMode(mode as DisplayMode, options, state) }),
  }
}

function initialize({ appCapabilities }: Fields, options: ViewBridgeOptions, state: ViewRequestState): Fields {
  if (state.hasIntroduced) throw new RpcError(InvalidRequest, 'Cannot initialize: the view has done so already')
  state.hasIntroduced = true
  const declared = isObject(appCapabilities) ? appCapabilities.availableDisplayModes : undefined
  state.appModes = Array.isArray(declared) ? declared : undefined
  const { onOpenLink, onLog, onMessage, onModelContext, host } = options
  return {
    protocolVersion: appsProtocolVersion,
    hostInfo: host,
    hostCapabilities: {
      serverTools: {},
      serverResources: {},
      sandbox: state.sandbox,
      ...(onOpenLink && { openLinks: {} }),
      ...(onLog && { logging: {} }),
      ...(onMessage && { message: { text: {} } }),
      ...(onModelContext && { updateModelContext: { text: {}, structuredContent: {} } }),
    },
    hostContext: state.context,
  }
}

async function callTool(
  { name, arguments: given = {} }: Fields,
  { signal }: Incoming,
  options: ViewBridgeOptions,
): Promise<Fields> {
  const { client, approve = () => true } = options
  const tool = await findTool(client, name as string, signal)
  if (!tool)
    throw new RpcError(InvalidParams, `Cannot call tool "${name}": the server of this view has none that is for views`)
  if (!(await approve(tool, given as Fields)))
    throw new RpcError(refused, `Cannot call tool "${name}": it was not approved`)
  return { ...(await client.tools.call(tool.name, given as Fields, { signal })) }
}

/** The tool that a view may call; what is for models alone is not there for it. */
async function findTool(
  { tools }: ViewBridgeOptions['client'],
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  for await (const tool of tools.list({ signal })) if (tool.name === name) return isForApp(tool) ? tool : undefined
  return undefined
}

/** A page of the web: no script, no file, nothing with a password in it. */
function webAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '')
    return url
  throw new RpcError(
    InvalidParams,
    'Cannot open the link: "url" must be an address of the web, as in "https://example.com/"',
  )
}

function accepted(isDone: boolean, what: string): Fields {
  if (isDone) return {}
  throw new RpcError(refused, `Cannot ${what}: the user did not agree`)
}

async function displayMode(
  mode: DisplayMode,
  { onDisplayMode }: ViewBridgeOptions,
  state: ViewRequestState,
): Promise<DisplayMode> {
  const { displayMode: now = 'inline', availableDisplayModes = [] } = state.context
  const canShow =
    availableDisplayModes.includes(mode) && (state.appModes === undefined || state.appModes.includes(mode))
  if (!onDisplayMode || !canShow) return now
  const shown = await onDisplayMode(mode)
  state.context = { ...state.context, displayMode: shown }
  return shown
}

/** Some views send one block where a list of them belongs. */
function withBlocks(params: Fields): Fields {
  return isObject(params.content) ? { ...params, content: [params.content] } : params
}
