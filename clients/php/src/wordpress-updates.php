<?php

declare(strict_types=1);

namespace Pazar;

/** @internal Updates of a plugin or theme whose header "Update URI" has the host of the server. */
trait WordPressUpdates {
    /** The main file of the plugin; null in a theme. */
    private ?string $file;
    /** Stands for the download in WordPress's list of updates. The URL exists only when the update runs. */
    private string $package;

    private function registerUpdates(): void {
        [$type, $own] = $this->file === null ? ['themes', get_template()] : ['plugins', plugin_basename($this->file)];
        $this->package = $this->client->licenseUrl() . "?update={$this->name}";
        $host = parse_url($this->package, PHP_URL_HOST);
        $offer = fn ($update, array $headers, string $name) => $name === $own ? $this->offerUpdate($headers['Version'] ?? '') : $update;
        add_filter("update_{$type}_$host", $offer, 10, 3);
        $download = fn ($path, $package) => $package === $this->package ? $this->downloadUpdate() : $path;
        add_filter('upgrader_pre_download', $download, 10, 2);
        add_filter('plugins_api', function ($details, string $action, $asked) {
            $own = $action === 'plugin_information' && $this->file !== null ? $this->details() : null;
            return $own !== null && $own->slug === ($asked->slug ?? '') ? $own : $details;
        }, 10, 3);
    }

    /** The stored response has the version, so no request is sent. Returns false if the code is invalid or was never valid. */
    private function offerUpdate(string $installed) {
        $item = $this->result()->item;
        if (!is_string($item['version'] ?? null)) {
            return false;
        }
        // The server has three numbers, so for WordPress its 1.0.0 is newer than the product's 1.0.
        $short = static fn (string $version): string => (string) preg_replace('/(\.0)+$/', '', $version);
        $isManual = get_site_transient($this->name . '_manual_update') === $item['version'];
        $slug = $this->file === null ? get_template() : (string) strtok(plugin_basename($this->file), '/');
        return [
            'slug' => $slug, 'theme' => $slug, 'url' => $this->productPage(), 'package' => $isManual ? '' : $this->package,
            'version' => $short($installed) === $short($item['version']) ? $installed : $item['version'],
            'icons' => array_filter(['default' => $item['media']['thumbnail'] ?? '']),
        ];
    }

    /** Returns the path of the file, or a WP_Error that says what the buyer can do. */
    private function downloadUpdate() {
        $download = $this->client->download($this->code());
        if ($download->reason === 'no_download') {
            set_site_transient($this->name . '_manual_update', $this->result()->item['version'] ?? '', WEEK_IN_SECONDS);
        }
        $isReady = $download->state === 'ready';
        return $isReady ? download_url($download->url, 300) : new \WP_Error("pazar_$download->reason", $this->help($download->reason));
    }

    private function details(): ?object {
        [$offer, $item] = [$this->offerUpdate(''), $this->result()->item];
        if ($offer === false) {
            return null;
        }
        $text = ($offer['package'] === '' ? $this->help('no_download') . "\n\n" : '') . ($item['description'] ?? '');
        $pictures = array_filter(['low' => $item['media']['preview_image'] ?? '']);
        $more = ['banners' => $pictures, 'sections' => ['description' => wpautop($text)]];
        return (object) (['name' => $this->title, 'homepage' => $offer['url'], 'download_link' => $offer['package']] + $more + $offer);
    }

    /** The sentence in HTML, with the URL of newer versions if the buyer has to install one. */
    private function help(string $status): string {
        $isManual = in_array(self::$help[$status] ?? $status, ['no_download', 'key_rejected'], true);
        return make_clickable(esc_html($this->sentence($status) . ($isManual ? ' ' . $this->productPage() : '')));
    }

    /** The page where buyers find updates that the server does not offer. */
    private function productPage(): string {
        $names = ['page' => $this->file === null ? 'Theme URI' : 'Plugin URI'];
        return get_file_data($this->file ?? get_template_directory() . '/style.css', $names)['page'] ?: $this->result()->item['demo_link'] ?? $this->client->licenseUrl();
    }
}
