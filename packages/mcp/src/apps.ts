/** Apps: tools with views, which are pages of a server that a host shows in a frame. */

export type { AppLimits } from './extensions/apps/app-limits.ts'
export type { ToolVisibility, ViewDomains, ViewMeta, ViewPermissions } from './extensions/apps/app-meta.ts'
export {
  type AppOptions,
  type AppsExtension,
  type AppsOnClient,
  type AppsOnServer,
  apps,
} from './extensions/apps/apps.ts'
export type { ClientAppOptions, ClientApps } from './extensions/apps/client/part.ts'
export { type View, viewFrom } from './extensions/apps/client/view.ts'
export { contentSecurityPolicy } from './extensions/apps/host/content-security-policy.ts'
export { type OpenViewOptions, openView, type ViewFrame } from './extensions/apps/host/open-view.ts'
export { type SandboxPageOptions, sandboxPage } from './extensions/apps/host/sandbox-page.ts'
export { ViewBridge } from './extensions/apps/host/view-bridge.ts'
export type {
  DisplayMode,
  HostContext,
  ViewBridgeOptions,
  ViewClient,
  ViewMessage,
  ViewModelContext,
} from './extensions/apps/host/view-bridge-options.ts'
export type { HostWindow, ViewWindow, WindowMessage } from './extensions/apps/host/view-channel.ts'
export { type ViewFrameSettings, viewFrameSettings } from './extensions/apps/host/view-document.ts'
export type {
  AppToolDefinition,
  ServerAppOptions,
  ViewDefinition,
} from './extensions/apps/server/server-app-options.ts'
export { isForApp, isForModel, viewUriOf } from './extensions/apps/tool-meta.ts'
