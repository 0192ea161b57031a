import { execFile } from 'node:child_process'
import type { Machine } from '../../config/machine.ts'

/** A program that shows a notice, and its arguments. */
interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly environment?: { readonly [name: string]: string }
}

export interface DesktopOptions {
  /** Time limit of the program, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number
}

/** True if a notice would reach a screen of this machine. */
export function hasDesktop({ platform, environment }: Machine): boolean {
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY || environment.DBUS_SESSION_BUS_ADDRESS)
}

/** Shows a notice with the means of the system. Rejects with the remedy when that fails. */
export function showOnDesktop(
  { text, link }: { readonly text: string; readonly link: string },
  { platform, environment }: Machine,
  { timeoutMs = 5_000 }: DesktopOptions = {},
): Promise<void> {
  const { program, args, environment: own = {} } = (commands[platform] ?? notifySend)(text, link)
  const env = { ...environment, ...own } as NodeJS.ProcessEnv
  return new Promise((resolve, reject) => {
    const options = { env, timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true } as const
    execFile(program, args, options, (error) => {
      if (error) reject(new Error(describeFailure(program, error, timeoutMs)))
      else resolve()
    }).stdin?.end()
  })
}

/** The body may hold markup, so its text is escaped; the title is plain. */
function notifySend(text: string, link: string): Command {
  const escaped = `${text}\n${link}`.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  return { program: 'notify-send', args: ['--app-name=Trunkline', '--', 'Trunkline', escaped] }
}

/** The script is fixed, and the texts are its arguments. */
function osascript(text: string, link: string): Command {
  const script = ['on run argv', 'display notification (item 1 of argv) with title "Trunkline"', 'end run']
  return { program: 'osascript', args: [...script.flatMap((line) => ['-e', line]), `${text}\n${link}`] }
}

/** The script is fixed, and the texts are variables; a click on the toast opens the link. */
function toast(text: string, link: string): Command {
  const script = [
    '$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
    '$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02',
    '$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)',
    '$lines = $xml.GetElementsByTagName("text")',
    '$null = $lines.Item(0).AppendChild($xml.CreateTextNode("Trunkline"))',
    '$null = $lines.Item(1).AppendChild($xml.CreateTextNode($env:TRUNKLINE_NOTICE))',
    '$xml.DocumentElement.SetAttribute("activationType", "protocol")',
    '$xml.DocumentElement.SetAttribute("launch", $env:TRUNKLINE_LINK)',
    '$sender = "{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe"',
    '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($sender).Show($xml)',
  ].join('; ')
  return {
    program: 'powershell.exe',
    args: ['-NoProfile', '-NonInteractive', '-Command', script],
    environment: { TRUNKLINE_NOTICE: text, TRUNKLINE_LINK: link },
  }
}

const commands: { readonly [platform: string]: (text: string, link: string) => Command } = {
  darwin: osascript,
  win32: toast,
}

function describeFailure(program: string, error: Error & { code?: unknown; killed?: boolean }, timeoutMs: number) {
  const instead = 'set "notify.desktop" to false to do without it'
  if (error.code === 'ENOENT') return `Cannot show notices: "${program}" is not installed; install it, or ${instead}`
  if (error.killed) return `Cannot show notices: "${program}" took longer than ${timeoutMs} ms; ${instead}`
  return `Cannot show notices: "${program}" failed with ${error.code ?? error.message}; ${instead}`
}
