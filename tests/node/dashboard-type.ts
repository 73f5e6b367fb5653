// The schema of worker/monitoring/dashboard.json: Grafana's own types.
import type { Dashboard, FieldConfig, Panel, RowPanel } from "@grafana/schema";
import type * as Stat from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type * as TimeSeries from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";

/** A JSON file has the values of enums, not the enums. */
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

interface Target {
  refId: string;
  datasource: { type: "prometheus"; uid: "${datasource}" };
  editorMode: "code";
  expr: string;
  legendFormat: string;
  range: true;
}

type Of<Type extends string, Options, Custom> = Omit<Panel, "type" | "options" | "fieldConfig" | "targets"> & {
  type: Type;
  targets: Target[];
  options: Options;
  fieldConfig: { defaults: Omit<FieldConfig, "custom"> & { custom?: Custom }; overrides: [] };
};

export type Checked = Plain<
  Omit<Dashboard, "panels"> & {
    panels: (Of<"stat", Stat.Options, never> | Of<"timeseries", TimeSeries.Options, TimeSeries.FieldConfig> | RowPanel)[];
  }
>;
