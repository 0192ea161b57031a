/** Client of a running host's API, for the command and the console; nothing of the host itself is loaded. */
export { type ApiClient, ApiRefusal, type ApiTarget, apiClient } from './api/client.ts'
export type { HostEvent } from './api/events.ts'
export type { RouteAnswer, RouteInput, RouteName } from './api/routes.ts'
export {
  type HostStarter,
  hostEnvironment,
  type RecordedEnvironment,
  recordEnvironment,
  recordedEnvironment,
} from './config/host-environment.ts'
export { findPlaces, type Places, thisMachine } from './config/places.ts'
export { type BridgeOptions, bridge } from './gateway/bridge/bridge.ts'
export { type HostLine, HostRefused } from './gateway/bridge/dial-host.ts'
export { projectHeader } from './gateway/bridge/line-protocol.ts'
export { findLines, findRunning, type RunningAt, runningFile } from './running/running-file.ts'
export { withLock } from './store/lock-file.ts'
export { makeFolder } from './store/make-folder.ts'
export { writeFileWhole } from './store/write-file.ts'
