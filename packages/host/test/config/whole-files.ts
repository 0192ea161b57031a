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
  zed: `// Zed settings
//
// For information on how to configure Zed, see the Zed
// documentation: https://zed.dev/docs/configuring-zed
{
  "agent": {
    "default_model": { "provider": "anthropic", "model": "best" },
    "profiles": { "ask": { "name": "Ask", "enable_all_context_servers": false, "context_servers": { "db": { "tools": { "query": true } } } } },
    "tool_permissions": { "tools": { "mcp:db:query": { "default": "confirm" } } },
  },
  "context_server_timeout": 90,
  "context_servers": {
    "mcp-server-context7": { "enabled": true, "remote": false, "settings": { "context7_api_key": "k" } },
    // written by an earlier version
    "db": {
      "source": "custom",
      "command": { "path": "/opt/db-mcp", "args": ["--read-only"], "env": { "PGHOST": "localhost" } },
    },
    "corp": { "enabled": true, "url": "https://mcp.corp.example/mcp", "oauth": { "client_id": "zed", "client_secret": "s" } },
  },
  "ui_font_size": 16, // larger at home
}
`,
  cline: `{
  "mcpServers": {
    "github.com/upstash/context7-mcp": {
      "autoApprove": [],
      "disabled": false,
      "timeout": 60,
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@upstash/context7-mcp"]
    },
    "linear": {
      "transport": { "type": "sse", "url": "https://mcp.linear.app/sse" },
      "disabled": true,
      "oauthClient": { "clientId": "cline" },
      "oauth": { "tokens": { "access_token": "t" }, "lastAuthenticatedAt": 1 }
    }
  }
}
`,
  junie: `{
    "mcpServers": {
        "Playwright": {
            "command": "npx",
            "args": [
                "-y",
                "@playwright/mcp@latest"
            ],
            "env": {}
        },
        "remote": { "url": "https://mcp.example.com/mcp" }
    }
}`,
  'copilot-cli': `{
  "mcpServers": {
    "playwright": {
      "tools": ["*"],
      "type": "local",
      "command": "npx",
      "args": ["@playwright/mcp@latest"],
      "env": {},
      "deferTools": "never"
    },
    "entra": {
      "tools": ["list", "get"],
      "type": "http",
      "url": "https://entra.example.com/mcp",
      "headers": { "X-Team": "\${TEAM:-shop}" },
      "oauthClientId": "copilot",
      "oauthPublicClient": true,
      "oidc": true
    }
  }
}
`,
  'mcp-json': `{
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": { "Authorization": "Bearer \${GITHUB_TOKEN}", "X-MCP-Toolsets": "issues,pull_requests" }
    },
    "internal": {
      "type": "http",
      "url": "https://\${TEAM_HOST:-mcp.corp.example}/mcp",
      "oauth": { "clientId": "internal-tools", "callbackPort": 8765 },
      "timeout": 600000
    },
    "events": { "type": "sse", "url": "https://events.corp.example/sse", "headersHelper": "./scripts/mcp-headers.sh" },
    "database": {
      "type": "stdio",
      "command": "uvx",
      "args": ["postgres-mcp", "--access-mode=restricted", "\${DATABASE_URL:-postgres://localhost:5432/shop}"],
      "env": { "PGSSLMODE": "require", "CACHE_DIR": "\${HOME}/.cache/postgres-mcp" }
    },
    "browser": {
      "command": "npx",
      "args": ["-y", "@playwright/mcp@latest", "--headless"],
      "alwaysAllow": ["browser_snapshot", "browser_navigate"],
      "tools": ["*"],
      "alwaysLoad": true
    },
    "docs": { "command": "node", "args": ["./tools/docs-server.mjs"], "cwd": ".", "disabled": true }
  }
}
`,
  registry: `{
  "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  "name": "io.github.ada/weather",
  "title": "Weather",
  "description": "Forecasts and warnings for any place",
  "version": "1.4.0",
  "websiteUrl": "https://weather.example.com",
  "repository": {
    "url": "https://github.com/ada/weather-mcp",
    "source": "github",
    "id": "718293041",
    "subfolder": "packages/server"
  },
  "icons": [{ "src": "https://weather.example.com/icon.png", "mimeType": "image/png", "sizes": ["64x64"] }],
  "packages": [
    {
      "registryType": "npm",
      "registryBaseUrl": "https://registry.example.com",
      "identifier": "@ada/weather-mcp",
      "version": "1.4.0",
      "runtimeHint": "npx",
      "transport": { "type": "stdio" },
      "runtimeArguments": [{ "type": "positional", "value": "-y" }],
      "packageArguments": [
        { "type": "named", "name": "--units", "default": "metric", "choices": ["metric", "imperial"] },
        {
          "type": "named",
          "name": "--cache",
          "value": "{cache_dir}/weather",
          "variables": { "cache_dir": { "description": "Where forecasts are kept", "format": "filepath", "default": "/tmp" } }
        },
        { "type": "named", "name": "--verbose", "description": "Says more" }
      ],
      "environmentVariables": [
        { "name": "WEATHER_API_KEY", "description": "Key of your account", "isRequired": true, "isSecret": true },
        { "name": "WEATHER_LANGUAGE", "description": "Language of warnings", "default": "en" },
        { "name": "WEATHER_DEBUG", "description": "Writes more to stderr", "format": "boolean" }
      ]
    },
    {
      "registryType": "mcpb",
      "identifier": "https://github.com/ada/weather-mcp/releases/download/v1.4.0/weather.mcpb",
      "fileSha256": "fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce",
      "transport": { "type": "stdio" }
    }
  ],
  "remotes": [
    {
      "type": "streamable-http",
      "url": "https://{region}.weather.example.com/mcp",
      "variables": { "region": { "description": "Where your account is", "default": "eu", "choices": ["eu", "us"] } },
      "headers": [
        {
          "name": "Authorization",
          "description": "Key of your account",
          "isRequired": true,
          "isSecret": true,
          "value": "Bearer {api_key}",
          "variables": { "api_key": { "description": "Key of your account", "isSecret": true } }
        }
      ]
    }
  ],
  "_meta": {
    "io.modelcontextprotocol.registry/publisher-provided": { "tool": "publisher-cli", "version": "1.2.3" }
  }
}
`,
} as const
