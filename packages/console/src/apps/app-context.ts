import type { HostContext, ViewBridge } from '@trunkline/mcp/apps'
import { theme } from '../shell/theme.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')

/** Context given to an app: the look of the page, and the tool it is for. Nothing else of the page. */
export function appContext(tool: object): HostContext {
  return {
    theme: themeNow(),
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: 'web',
    toolInfo: { tool: tool as NonNullable<HostContext['toolInfo']>['tool'] },
  }
}

/** Tells an app when the colours change. */
export function followTheme(bridge: ViewBridge): () => void {
  // an app that is gone does not need to know
  const tell = () => void bridge.contextChanged({ theme: themeNow() }).catch(() => {})
  const unsubscribe = theme.subscribe(tell)
  dark.addEventListener('change', tell)
  return () => {
    unsubscribe()
    dark.removeEventListener('change', tell)
  }
}

function themeNow(): 'light' | 'dark' {
  const chosen = theme.get()
  if (chosen !== 'system') return chosen
  return dark.matches ? 'dark' : 'light'
}
