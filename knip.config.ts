{
  "$schema": "./node_modules/knip/schema.json",
  "ignoreBinaries": ["mount", "strace", "umount", "unshare"],
  "ignoreDependencies": ["@swc/core", "dependency-cruiser", "oxfmt", "oxlint", "oxlint-tsgolint", "sharp"],
  "ignoreExportsUsedInFile": {
    "interface": true,
    "type": true
  },
  "ignoreIssues": {
    "packages/protocol/src/{codes,limits,message}.ts": ["exports", "types"],
    "packages/web/lingui.config.ts": ["exports"],
    "tools/mutation/runner.ts": ["exports"]
  },
  "workspaces": {
    ".": {
      "entry": [
        "tools/{bench,build-web,check,dev,e2e,emoticon-font,mutate,notices,openapi,pinyin,test,test-full}.ts",
        "tools/{emoticons,run,sounds}.mjs",
        "tools/mutation/runner.ts"
      ],
      "project": ["tools/**/*.{ts,mjs}"]
    },
    "packages/protocol": {
      "project": ["src/**/*.ts"]
    },
    "packages/core": {
      "project": ["src/**/*.ts"]
    },
    "packages/server": {
      "entry": ["src/{main,seed,admin}.ts"],
      "project": ["src/**/*.ts"]
    },
    "packages/web": {
      "entry": ["src/app/main.tsx", "lingui.config.ts", "src/**/*.test.{ts,tsx}"],
      "project": ["src/**/*.{ts,tsx}"]
    },
    "packages/e2e": {
      "entry": ["tests/**/*.ts"],
      "project": ["**/*.ts"]
    },
    "packages/bench": {
      "entry": ["src/main.ts"],
      "project": ["src/**/*.ts"]
    }
  }
}
