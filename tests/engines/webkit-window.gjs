// A bare window of WebKitGTK for WebKitWebDriver. gjs runs it, with the folder of a profile. WebKitGTK's own MiniBrowser
// is private when a driver starts it, and a private WebKit writes no console messages. Its toolbar is wider than a phone.
imports.gi.versions.Gtk = "3.0";
imports.gi.versions.WebKit2 = "4.1";
const { Gtk, WebKit2 } = imports.gi;

/** Writes what could not be loaded: WebKit tells it to its inspector alone. */
function watchResources(view) {
  view.connect("resource-load-started", (_view, resource) => {
    resource.connect("finished", () => {
      const status = resource.get_response()?.get_status_code() ?? 0;
      if (status >= 400) printerr(`${status} ${resource.get_uri()}`);
    });
    resource.connect("failed", (_resource, error) => {
      const isCancelled = error.matches(WebKit2.NetworkError, WebKit2.NetworkError.CANCELLED); // by the page, or repeated
      if (!isCancelled) printerr(`Failed ${resource.get_uri()}: ${error.message}`);
    });
  });
}

function openView(webContext) {
  const settings = new WebKit2.Settings({ enableWriteConsoleMessagesToStdout: true });
  const view = new WebKit2.WebView({ webContext, settings, isControlledByAutomation: true });
  watchResources(view);
  const window = new Gtk.Window({ decorated: false, defaultWidth: 1440, defaultHeight: 900 });
  window.add(view);
  window.show_all();
  view.connect("close", () => window.destroy());
  window.connect("destroy", () => Gtk.main_quit());
  return view;
}

function applicationInfo() {
  const info = new WebKit2.ApplicationInfo();
  info.set_name("WebKitGTK");
  info.set_version(WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version());
  return info;
}

Gtk.init(null);
const [profile] = ARGV;
const websiteDataManager = new WebKit2.WebsiteDataManager({ baseDataDirectory: profile, baseCacheDirectory: profile });
const webContext = new WebKit2.WebContext({ websiteDataManager });
webContext.set_preferred_languages(["en-GB"]);
webContext.set_automation_allowed(true);
webContext.connect("automation-started", (_context, session) => {
  session.set_application_info(applicationInfo());
  session.connect("create-web-view", () => openView(webContext));
});
Gtk.main();
