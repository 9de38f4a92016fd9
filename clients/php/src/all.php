<?php

declare(strict_types=1);

// Loads all classes together: classes of two copies must not mix if a plugin is updated while a page loads.
$names = 'code options http stores signature record result server client wordpress-page wordpress-updates wordpress';
foreach (explode(' ', $names) as $name) {
    require __DIR__ . "/$name.php";
}
