import { posix } from 'node:path'
import { hostCommandLine, marker, placeVariables, type ServiceContext, type ServicePlan } from './service-plan.ts'
import { xmlText } from './xml-text.ts'

const label = 'dev.trunkline.host'

/** An agent of launchd. */
export function launchdPlan(context: ServiceContext): ServicePlan {
  const { home, userId = 0 } = context
  const file = posix.join(home, 'Library/LaunchAgents', `${label}.plist`)
  const log = xmlText(posix.join(home, 'Library/Logs/trunkline.log'))
  const variables = placeVariables(context).map(
    ([name, value]) => `      <key>${xmlText(name)}</key><string>${xmlText(value)}</string>`,
  )
  const text = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    `<!-- ${marker} -->`,
    '<plist version="1.0">',
    '  <dict>',
    `    <key>Label</key><string>${label}</string>`,
    '    <key>ProgramArguments</key>',
    '    <array>',
    ...hostCommandLine(context).map((word) => `      <string>${xmlText(word)}</string>`),
    '    </array>',
    '    <key>EnvironmentVariables</key>',
    '    <dict>',
    ...variables,
    '    </dict>',
    `    <key>WorkingDirectory</key><string>${xmlText(home)}</string>`,
    '    <key>RunAtLoad</key><true/>',
    '    <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>',
    '    <key>ThrottleInterval</key><integer>10</integer>',
    '    <key>ExitTimeOut</key><integer>30</integer>',
    `    <key>StandardOutPath</key><string>${log}</string>`,
    `    <key>StandardErrorPath</key><string>${log}</string>`,
    '  </dict>',
    '</plist>',
    '',
  ].join('\n')
  const domain = `gui/${userId}`
  return {
    manager: 'launchd',
    file,
    text,
    // launchd keeps what it loaded, and refuses to load it twice
    before: [['launchctl', 'bootout', `${domain}/${label}`]],
    start: [['launchctl', 'bootstrap', domain, file]],
    stop: [['launchctl', 'bootout', `${domain}/${label}`]],
    after: [],
    query: ['launchctl', 'print', `${domain}/${label}`],
  }
}
