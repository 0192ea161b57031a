/** Whole files as clients leave them behind, with the keys that only they know; by the format that reads them. */
export const wholeFiles = {
  'claude-code': `{
  "numStartups": 412,
  "installMethod": "native",
  "autoUpdates": false,
  "tipsHistory": { "shift-enter": 7, "memory-command": 311 },
  "cachedStatsigGates": { "tengu_disable_bypass_permissions_mode": false },
  "userID": "8f0e3c6d",
  "oauthAccount": { "accountUuid": "0b7f1c1e", "emailAddress": "ada@example.com" },
  "mcpServers": {
    "sentry": { "type": "http", "url": "https://mcp.sentry.dev/mcp", "oauth": { "clientId": "abc", "callbackPort": 8080 } },
    "asana": { "type": "sse", "url": "https://mcp.asana.com/sse" },
    "files": { "type": "stdio", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${HOME}/notes"], "env": {} }
  },
  "projects": {
    "/home/ada/shop": {
      "allowedTools": [],
      "history": [],
      "mcpContextUris": [],
      "mcpServers": {},
      "enabledMcpjsonServers": ["internal"],
      "disabledMcpjsonServers": [],
      "hasTrustDialogAccepted": true,
      "projectOnboardingSeenCount": 4,
      "hasClaudeMdExternalIncludesApproved": false,
      "lastCost": 1.2345,
      "lastSessionId": "5e5a2e3a"
    },
    "/home/ada/with space": { "allowedTools": ["mcp__files__read_file"], "mcpServers": { "db": { "command": "db-mcp" } } }
  },
  "hasCompletedOnboarding": true
}
`,
  'claude-desktop': `{
  "globalShortcut": "",
  "isUsingBuiltInNodeForMcp": true,
  "preferences": { "menuBarEnabled": false, "quickEntryShortcut": "off" },
  "mcpServers": {
    "Windows Files": {
      "command": "C:\\\\Program Files\\\\nodejs\\\\npx.cmd",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "C:\\\\Users\\\\Ada\\\\Notes"]
    }
  }
}
`,
  vscode: `{\r
\t"inputs": [\r
\t\t{ "type": "pickString", "id": "region", "description": "Region", "options": ["eu", { "label": "US", "value": "us" }], "default": "eu" },\r
\t\t{ "type": "promptString", "id": "token", "description": "Token", "password": true }\r
\t],\r
\t"servers": {\r
\t\t// installed from the gallery\r
\t\t"io.github.github/github-mcp-server": {\r
\t\t\t"type": "http",\r
\t\t\t"url": "https://api.githubcopilot.com/mcp/",\r
\t\t\t"headers": { "Authorization": "Bearer \${input:token}" },\r
\t\t\t"gallery": "https://api.mcp.github.com",\r
\t\t\t"version": "0.13.0"\r
\t\t},\r
\t\t"local": {\r
\t\t\t"type": "stdio",\r
\t\t\t"command": "uvx",\r
\t\t\t"args": ["shop-mcp", "--region=\${input:region}"],\r
\t\t\t"cwd": "\${workspaceFolder}",\r
\t\t\t"envFile": "\${workspaceFolder}/.env",\r
\t\t\t"dev": { "watch": "src/**/*.py", "debug": { "type": "debugpy" } },\r
\t\t},\r
\t},\r
}\r
`,
  cursor: `{
  "mcpServers": {
    "notion": { "url": "https://mcp.notion.com/mcp", "auth": { "CLIENT_ID": "abc", "scopes": ["read"] } },
    "local": { "type": "stdio", "command": "node", "args": ["\${workspaceFolder}/mcp.js"], "envFile": ".env", "env": { "KEY": "\${env:KEY}" } }
  }
}
`,
  codex: `model = "best"
model_reasoning_effort = "high"
notify = ["python3", "/home/ada/notify.py"]

[tui]
notifications = true

[projects."/home/ada/shop"]
trust_level = "trusted"

[mcp_servers."docs.site"] # a name with a dot
url = "https://docs.example/mcp"
scopes = ["read"]
required = true

[mcp_servers.db]
command = 'C:\\tools\\db.exe'
args = [
  "--read-only", # never more
  "shop",
]
startup_timeout_ms = 30_000
supports_parallel_tool_calls = true

[mcp_servers.db.env]
PGPASSWORD = """secret"""

[profiles.quick]
model = "small"
`,
  'gemini-cli': `{
  "$schema": "https://example.com/settings.schema.json",
  "general": { "vimMode": true },
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "mcp": { "allowed": ["maps", "cloud"] },
  "mcpServers": {
    "maps": { "httpUrl": "https://maps.example/mcp", "authProviderType": "google_credentials", "oauth": { "enabled": true, "scopes": ["maps"] }, "description": "Maps" },
    "cloud": { "command": "cloud-mcp", "env": { "TOKEN": "\${CLOUD_TOKEN}" }, "targetAudience": "abc", "trust": false, "timeout": 600000 },
    "web": { "url": "https://web.example/mcp", "type": "http" }
  },
  "tools": { "allowed": ["run_shell_command(git)"] }
}
`,
  windsurf: `{
  "mcpServers": {
    "figma": { "serverUrl": "https://mcp.figma.com/mcp", "disabled": true, "registry": "windsurf" },
    "git": { "command": "uvx", "args": ["mcp-server-git"], "env": { "TOKEN": "\${env:GIT_TOKEN}" }, "disabledTools": [] }
  }
}
`,
  opencode: `{
  "$schema": "https://opencode.ai/config.json",
  "theme": "system",
  "provider": { "local": { "npm": "@ai-sdk/openai-compatible", "models": { "small": {} } } },
  "tools": { "gh_*": false },
  "mcp": {
    /* one that signs in by itself */
    "gh": { "type": "remote", "url": "https://gh.example/mcp", "headers": { "X-Key": "{env:GH_KEY}" }, "oauth": false, "enabled": true },
    "db": { "type": "local", "command": ["bun", "x", "db-mcp"], "environment": { "A": "1" }, "cwd": "./db", "timeout": 5000 },
  },
}
`,
} as const
